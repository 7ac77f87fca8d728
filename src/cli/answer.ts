/** 0 success · 1 failure · 2 usage error · 3 unavailable · 130 cancelled. */
export type ExitCode = 0 | 1 | 2 | 3 | 130;

export type Tone = "good" | "warn" | "bad" | "dim";
export type Cell = string | { text: string; tone: Tone };

/** Output for people, without layout; width and colours are up to the terminal. */
export type Piece =
  | { kind: "text"; text: string; tone?: Tone }
  | { kind: "table"; columns: string[]; rows: Cell[][]; empty: string }
  | { kind: "facts"; facts: [name: string, value: Cell][] };

/** Progress of a long command; `total` is undefined while unknown. */
export type Progress = {
  done: number;
  total?: number | undefined;
  says: string /** Only where it can be wiped away. */;
  isFleeting?: true;
};

/** The result of a command: `data` for machines, `shown` for people. */
export type Answer = { code: ExitCode; data: unknown; shown: Piece[]; error?: { code: string; message: string } };

export const text = (line: string, tone?: Tone): Piece => ({ kind: "text", text: line, ...(tone && { tone }) });
export const facts = (list: [string, Cell][]): Piece => ({ kind: "facts", facts: list });
export const table = (columns: string[], rows: Cell[][], empty: string): Piece => ({
  kind: "table",
  columns,
  rows,
  empty,
});

export function done(data: unknown, ...shown: Piece[]): Answer {
  return { code: 0, data, shown };
}

/** `code` is stable, for machines; `message` says what to do. */
export function failed(code: string, message: string, more: { data?: unknown; shown?: Piece[] } = {}): Answer {
  return { code: 1, data: more.data ?? null, shown: more.shown ?? [], error: { code, message } };
}

export function unreachable(code: string, message: string): Answer {
  return { code: 3, data: null, shown: [], error: { code, message } };
}

export function cancelled(message: string): Answer {
  return { code: 130, data: null, shown: [], error: { code: "CANCELLED", message } };
}

export function mistyped(message: string): Answer {
  return { code: 2, data: null, shown: [], error: { code: "USAGE", message } };
}
