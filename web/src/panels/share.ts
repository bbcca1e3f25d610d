// A link that holds the instance and the question; opening it needs no server.

import { byId } from "../dom";
import { count } from "../format";
import { usual } from "../model/question";
import type { Editor } from "../model/editor";
import type { AppStore } from "../model/state";
import { fromFragment, toFragment } from "../share/link";

export class SharePanel {
  constructor(
    private readonly store: AppStore,
    private readonly editor: Editor,
    private readonly toast: (words: string) => void,
  ) {
    byId("share").addEventListener("click", () => void this.share());
    addEventListener("hashchange", () => void this.open());
  }

  private async share(): Promise<void> {
    try {
      const { instance, asked } = this.store.get();
      const fragment = await toFragment({ instance, asked });
      history.replaceState(null, "", `#${fragment}`);
      await this.copy(location.href);
    } catch (error) {
      this.store.set({ error: error instanceof Error ? error.message : String(error) });
    }
  }

  private async copy(link: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      this.toast(`Link copied: ${count(link.length, "character")}, everything is in it`);
    } catch {
      const field = byId<HTMLInputElement>("link");
      field.value = link;
      byId<HTMLDialogElement>("link-dialog").showModal();
      field.select();
    }
  }

  /** What the address holds, if it holds anything. */
  async open(): Promise<void> {
    const fragment = location.hash.slice(1);
    if (fragment === "") return;
    try {
      const { instance, asked } = await fromFragment(fragment);
      const known = Object.fromEntries(Object.entries(asked).filter(([key, value]) => sameKind(key, value)));
      this.store.set({ asked: { ...usual, ...known } });
      this.editor.replace(instance);
    } catch (error) {
      this.store.set({ error: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Links are written by anyone: only fields that the form has, with values of their kind. */
function sameKind(key: string, value: unknown): boolean {
  if (key === "rivals") return Array.isArray(value) && value.length === 2 && value.every((v) => typeof v === "string");
  return key in usual && typeof value === typeof usual[key as keyof typeof usual];
}
