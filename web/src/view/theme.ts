// Light or dark: what the system says until the visitor says otherwise. Canvases take their colours from the style sheet.

import { cableColours } from "./looks";

export interface Colours {
  paper: string;
  grid: string;
  tree: string;
  stale: string;
  common: string;
  accent: string;
  rival: string;
  dot: string;
  dotEdge: string;
  ink: string;
  soft: string;
  street: string;
  limit: string;
  /** Kinds of cable, by rising capacity; the last one stands for all above it. */
  cables: string[];
}

const key = "neuroprim-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const watchers: (() => void)[] = [];

// Storage may be forbidden; then the choice lasts as long as the page.
function remembered(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme);
  } catch {
    return;
  }
}

let chosen = remembered();

function apply(): void {
  document.documentElement.dataset.theme = chosen ?? (system.matches ? "dark" : "light");
  for (const watcher of watchers) watcher();
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  apply();
}

export function toggleTheme(): void {
  chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  remember(chosen);
  apply();
}

export function onThemeChange(watcher: () => void): void {
  watchers.push(watcher);
}

export function colours(): Colours {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    paper: of("paper"),
    grid: of("grid"),
    tree: of("tree"),
    stale: of("tree-stale"),
    common: of("common"),
    accent: of("accent"),
    rival: of("rival"),
    dot: of("dot"),
    dotEdge: of("dot-edge"),
    ink: of("ink"),
    soft: of("text-soft"),
    street: of("street"),
    limit: of("limit"),
    cables: Array.from({ length: cableColours }, (_, k) => of(`cable-${k}`)),
  };
}
