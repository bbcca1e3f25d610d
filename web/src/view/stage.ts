// From what the page knows to what the two canvases show.

import { byId } from "../dom";
import { changeSince } from "../model/changes";
import type { AppStore, State } from "../model/state";
import { isGeographic } from "../model/instance";
import { judgedRun, rootsOf } from "../model/kept_limits";
import { parametersOf, questionOf } from "../model/question";
import { edgeKey } from "./fading_tree";
import { bendsOf, looksOf, plain, sizesOf, streetsOf } from "./looks";
import type { Pane } from "./pane";
import type { Viewport } from "./viewport";

/** As in the style sheet. */
const oneColumn = matchMedia("(max-width: 820px)");

export function startStage(store: AppStore, viewport: Viewport, panes: [Pane, Pane]): void {
  // Both canvases are equally large, so the first one tells for both.
  new ResizeObserver(() => {
    const { clientWidth, clientHeight } = panes[0].canvas;
    // Buttons lie on the drawing but on a narrow screen, where only the captions of a comparison do.
    const caption = byId("pane-b").hidden ? 0 : 44;
    viewport.covered = oneColumn.matches ? { above: caption, below: 0 } : { above: 56, below: 56 };
    viewport.resize({ width: clientWidth, height: clientHeight }, store.get().instance);
  }).observe(panes[0].canvas);

  store.watch((now, before) => {
    byId("pane-b").hidden = now.mode !== "compare";
    const sameVertices = now.instance.points.length === before.instance.points.length;
    panes.forEach((pane, side) => {
      showPoints(pane, now);
      showTree(pane, now, side as 0 | 1, !sameVertices);
    });
  });
}

function showPoints(pane: Pane, { instance, layoutIsOurs, selected, asked, about }: Readonly<State>): void {
  const question = questionOf(instance, asked, asked.method, about);
  const readsRoot = parametersOf(asked.problem, about).includes("root");
  pane.show({
    points: instance.points,
    terminals: question.instance.terminals ?? none,
    roots: question.root !== undefined || readsRoot ? rootsOf(question) : none,
    selected,
    names: instance.names ?? null,
    sizes: sizesOf(question.instance),
    bends: bendsOf(instance),
    areas: instance.map?.areas ?? none,
    geographic: isGeographic(instance),
    streets: layoutIsOurs ? none : streetsOf(instance), // lines between places of our own making tell nothing
  });
}

const none: never[] = [];

function showTree(pane: Pane, state: Readonly<State>, side: 0 | 1, jump: boolean): void {
  const { mode, run, rivals, explanation, step } = state;
  if (mode === "step") {
    const decision = explanation?.steps[step];
    const soFar = explanation ? explanation.steps.slice(0, step).map((s) => s.edge) : none;
    pane.showTree(soFar, jump);
    pane.show({
      ...plain,
      stale: false,
      common: null,
      rival: false,
      calm: decision !== undefined,
      alternatives: decision?.alternatives ?? none,
      chosen: decision?.edge ?? null,
    });
    return;
  }
  const shown = mode === "compare" ? rivals[side] : run;
  const other = mode === "compare" ? rivals[side === 0 ? 1 : 0] : null;
  // Until the first tree of a run has come, the one in sight is that of an earlier question.
  const waiting = shown !== null && shown.latest === null && shown.solution === null;
  pane.showTree(shown?.edges ?? none, jump);
  const stale = waiting || changeSince(shown, state) !== "";
  const judged = mode === "solve" && shown && !stale ? judgedRun(shown, state.instance.points.length) : null;
  pane.show({
    ...(shown && judged ? looksOf(shown.edges, judged) : plain),
    stale,
    common: other && other.edges.length > 0 ? new Set(other.edges.map(edgeKey)) : null,
    rival: mode === "compare" && side === 1,
    calm: false,
    alternatives: none,
    chosen: null,
  });
}
