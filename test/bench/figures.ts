export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const round = (value: number, digits = 2) => Number(value.toFixed(digits));
