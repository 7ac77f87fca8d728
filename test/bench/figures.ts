export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const spreadOf = (values: number[]) => Math.max(...values) - Math.min(...values);
export const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** One line of `bun run bench`; if `pass` is false, the run fails. */
export function tell(line: { line: string; pass?: boolean | undefined } & Record<string, unknown>): void {
  console.log(JSON.stringify(line));
  if (line.pass === false) process.exitCode = 1;
}
