// Round numbers for the axis of a chart, in as many digits as tell them apart.

export interface Tick {
  value: number;
  words: string;
}

/** The distance between ticks: 1, 2 or 5 times a power of ten, so that about `most` of them fit into the range. */
function stepOf(range: number, most: number): number {
  const power = 10 ** Math.floor(Math.log10(range / most));
  return power * ([1, 2, 5].find((k) => k * power * most >= range) ?? 10);
}

function wordsOf(value: number, step: number): string {
  const decimals = Math.min(20, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e7 || size < 1e-5)) {
    const digits = Math.max(0, Math.floor(Math.log10(size)) - Math.floor(Math.log10(step) + 1e-9));
    return value.toExponential(Math.min(digits, 9)).replace("e+", "e");
  }
  return value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** At least two and at most `most` + 1 round values from low to high, which must differ. */
export function axisTicks(low: number, high: number, most: number): Tick[] {
  let step = stepOf(high - low, most);
  // A coarse step may leave a single round number in the range; a finer one never does.
  if (Math.floor(high / step) - Math.ceil(low / step) < 1) step = stepOf(high - low, 2 * most);
  const ticks: Tick[] = [];
  for (let k = Math.ceil(low / step); k * step <= high; ++k) {
    ticks.push({ value: k * step, words: wordsOf(k * step, step) });
  }
  return ticks;
}
