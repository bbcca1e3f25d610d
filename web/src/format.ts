// Numbers as people read them.

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Six significant digits; large numbers whole, with separators. */
export function readable(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  return Math.abs(value) >= 1e6 ? whole.format(value) : digits.format(value);
}

export function percent(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value < 0.0005) return "0 %";
  return `${value < 0.1 ? value.toPrecision(1) : value < 10 ? value.toFixed(2) : value.toFixed(1)} %`;
}

/** A share between zero and one; what is nearly nothing does not become nothing. */
export function probability(value: number): string {
  if (value >= 0.9995) return value === 1 ? "100 %" : "> 99.9 %";
  if (value < 0.001) return value === 0 ? "0 %" : "< 0.1 %";
  return `${(100 * value).toFixed(1)} %`;
}

export function seconds(value: number): string {
  if (value < 0.0995) return value < 0.001 ? "< 1 ms" : `${Math.round(1000 * value)} ms`;
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} s`;
}

export function count(n: number, one: string, many = `${one}s`): string {
  return `${whole.format(n)} ${n === 1 ? one : many}`;
}
