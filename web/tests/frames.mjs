// How smoothly two thousand points with their tree are panned, zoomed and dragged: milliseconds from frame to frame,
// and of script and painting within a frame. Not a test: a busy machine is slow.
// Usage: web/test.sh frames NEUROPRIM [POINTS]

import { ask, generate } from "./support/acts.mjs";
import { Site } from "./support/site.mjs";

const n = Number(process.argv[2] ?? 2000);
const frames = 120;

/** Sends pointer events as a hand would, one a frame, and listens to the frames. */
async function measure(page, act) {
  return page.evaluate(async ({ act, frames }) => {
    const canvas = document.getElementById("canvas-a");
    const box = canvas.getBoundingClientRect();
    const send = (type, x, y, more = {}) => {
      const place = { clientX: box.left + x, clientY: box.top + y, bubbles: true, pointerId: 1, pointerType: "mouse", isPrimary: true };
      const kind = type === "wheel" ? WheelEvent : PointerEvent;
      canvas.dispatchEvent(new kind(type, { ...place, buttons: 1, cancelable: true, ...more }));
    };
    canvas.setPointerCapture = () => {}; // a made-up pointer cannot be captured
    const [cx, cy] = [box.width / 2, box.height / 2];
    let from = [30, box.height - 90];
    if (act === "drag") {
      // Any point will do: look for one from the middle outwards.
      search: for (let r = 0; r < 200; r += 3) for (let a = 0; a < 6.3; a += 0.3) {
        const at = [cx + r * Math.cos(a), cy + r * Math.sin(a)];
        send("pointermove", ...at, { buttons: 0 });
        if (canvas.classList.contains("over")) { from = at; break search; }
      }
    }
    const clear = CanvasRenderingContext2D.prototype.clearRect;
    let painted = 0;
    CanvasRenderingContext2D.prototype.clearRect = function (...args) { ++painted; return clear.apply(this, args); };
    const gaps = [];
    const work = [];
    if (act !== "zoom") send("pointerdown", ...from, { button: 0 });
    let last = await new Promise(requestAnimationFrame);
    for (let k = 0; k < frames; ++k) {
      const begin = performance.now();
      const swing = 60 * Math.sin(k / 9);
      if (act === "zoom") send("wheel", cx, cy, { deltaY: k % 40 < 20 ? -30 : 30, buttons: 0 });
      else send("pointermove", from[0] + 8 + swing, from[1] - 8 + swing / 2);
      const handled = performance.now() - begin;
      // The page's own frame was asked for first, so by this one it has painted.
      const now = await new Promise(requestAnimationFrame);
      work.push(handled + performance.now() - now);
      gaps.push(now - last);
      last = now;
    }
    if (act !== "zoom") send("pointerup", from[0], from[1], { button: 0 });
    CanvasRenderingContext2D.prototype.clearRect = clear;
    const sorted = (list) => list.slice().sort((a, b) => a - b);
    const at = (list, share) => sorted(list)[Math.floor(share * (list.length - 1))];
    return { painted, median: at(gaps, 0.5), slow: at(gaps, 0.95), work: at(work, 0.5) };
  }, { act, frames });
}

const site = await Site.open();
try {
  await site.visit(async (page) => {
    await page.selectOption("#problem", "mst");
    await generate(page, n);
    await ask(page, 1);
    console.log(`${n} points and their tree, 1280 x 800`);
    for (const act of ["pan", "zoom", "drag"]) {
      const { painted, median, slow, work } = await measure(page, act);
      const ms = (value) => `${value.toFixed(1).padStart(5)} ms`;
      console.log(`${act.padEnd(5)} frame to frame: median ${ms(median)}, 95 % ${ms(slow)};  work in a frame: ${ms(work)};  ${painted} frames painted`);
    }
  });
} finally {
  await site.close();
}
