// Fields for numbers: what is wrong with one is said at the field, in words of the page.

import { byId, setText } from "../dom";

/** What a field takes; min and max belong to it. */
export interface Rule {
  /** The field's name, as its label has it. */
  name: string;
  whole: boolean;
  min: number;
  max: number;
}

function expected({ whole, min, max }: Rule): string {
  const kind = whole ? "a whole number" : "a number";
  const plain = (value: number): string => value.toLocaleString("en");
  return Number.isFinite(max) ? `${kind} from ${plain(min)} to ${plain(max)}` : `${kind}, ${plain(min)} or more`;
}

/** What is wrong with a value, NaN for none; empty when nothing is. `isEmpty` tells nothing typed from nonsense. */
export function complaint(rule: Rule, value: number, isEmpty: boolean): string {
  if (isEmpty) return `${rule.name} is missing: ${expected(rule)}`;
  const fits = Number.isFinite(value) && value >= rule.min && value <= rule.max && (!rule.whole || Number.isInteger(value));
  return fits ? "" : `${rule.name} must be ${expected(rule)}`;
}

export class NumberField {
  readonly input: HTMLInputElement;
  private readonly name: string;

  /** `entered` gets NaN for what is no number of the field's kind. */
  constructor(id: string, entered: (value: number) => void = () => {}) {
    this.input = byId<HTMLInputElement>(id);
    this.name = (this.input.closest("label")?.firstChild?.textContent ?? id).replace(/\W+$/, "");
    this.input.addEventListener("input", () => {
      this.mark();
      entered(this.value);
    });
  }

  /** Empty when the field can be used as it is; a field that is not in sight or not in use always can. */
  get wrong(): string {
    if (this.input.disabled || !this.input.offsetParent) return "";
    const { value, validity, valueAsNumber, min, max, step } = this.input;
    const rule = { name: this.name, whole: step !== "any", min: min === "" ? -Infinity : Number(min), max: max === "" ? Infinity : Number(max) };
    return complaint(rule, valueAsNumber, value === "" && !validity.badInput);
  }

  get value(): number {
    return this.wrong === "" ? this.input.valueAsNumber : NaN;
  }

  /** Puts a number there, unless it is there already; what is no number leaves what was typed. */
  show(value: number): void {
    if (Number.isFinite(value) && this.input.valueAsNumber !== value) this.input.value = `${value}`;
  }

  setMax(max: number): void {
    this.input.max = `${max}`;
  }

  /** Marks the field when it is wrong, and says so in the line below. */
  mark(): void {
    const wrong = this.wrong;
    this.input.setAttribute("aria-invalid", `${wrong !== ""}`);
    setText(byId(`${this.input.id}-wrong`), wrong);
  }
}

/** The first field that cannot be used as it is, which gets the focus. */
export function firstWrong(fields: readonly NumberField[]): string {
  const found = fields.find((field) => field.wrong !== "");
  found?.mark();
  found?.input.focus();
  return found?.wrong ?? "";
}
