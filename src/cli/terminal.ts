import type { Answer, Cell, Piece, Progress, Tone } from "./answer.ts";
import type { GlobalOptions } from "./command.ts";

/** Where the output goes. `columns` is undefined when that is no terminal; then nothing is truncated. */
export type Terminal = {
  out(text: string): void;
  error(text: string): void;
  columns: number | undefined;
  colours: boolean;
  /** Whether stderr is a terminal, so that progress can be redrawn in place. */
  isLive: boolean;
};

const GAP = 2;
const NARROWEST = 8;
const BAR = 24;
const COLOUR: Record<Tone, string> = { good: "32", warn: "33", bad: "31", dim: "2" };

export type Paint = (text: string, tone: Tone | "bold" | undefined) => string;

export function painter({ colours }: Pick<Terminal, "colours">): Paint {
  return (text, tone) => {
    if (!colours || tone === undefined) return text;
    return `\u001b[${tone === "bold" ? "1" : COLOUR[tone]}m${text}\u001b[0m`;
  };
}

/** Removes control characters from foreign text, as they could control the terminal. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === "\n" ? "\n" : "\ufffd",
  );
}

const textOf = (cell: Cell) => harmless(typeof cell === "string" ? cell : cell.text).replaceAll("\n", " ");
const widthOf = (text: string) => Bun.stringWidth(text);

/** Truncates to a width, with an ellipsis. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (widthOf(kept + segment) > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Shrinks the widest columns until all fit, but none below its minimum. */
export function fit(widths: number[], columns: number | undefined): number[] {
  const fitted = [...widths];
  if (columns === undefined) return fitted;
  const room = columns - GAP * (widths.length - 1);
  for (let over = fitted.reduce((sum, width) => sum + width, 0) - room; over > 0; over -= 1) {
    const widest = Math.max(...fitted);
    if (widest <= NARROWEST) break;
    fitted[fitted.lastIndexOf(widest)] = widest - 1;
  }
  return fitted;
}

function tableLines({ columns: names, rows }: Extract<Piece, { kind: "table" }>, { columns }: Terminal, paint: Paint) {
  const widths = names.map((name, at) => Math.max(widthOf(name), ...rows.map((row) => widthOf(textOf(row[at] ?? "")))));
  const fitted = fit(widths, columns);
  const line = (cells: Cell[], tone?: "bold") =>
    cells
      .map((cell, at) => {
        const shown = cut(textOf(cell), fitted[at] ?? 0);
        const isLast = at === cells.length - 1;
        const padding = isLast ? "" : " ".repeat((fitted[at] ?? 0) - widthOf(shown) + GAP);
        return paint(shown, tone ?? (typeof cell === "string" ? undefined : cell.tone)) + padding;
      })
      .join("")
      .trimEnd();
  return [line(names, "bold"), ...rows.map((row) => line(row))];
}

/** Wraps at spaces. */
function wrapped(text: string, width: number | undefined): string[] {
  return width === undefined || widthOf(text) <= width ? [text] : Bun.wrapAnsi(text, width).split("\n");
}

function factLines({ facts }: Extract<Piece, { kind: "facts" }>, { columns }: Terminal, paint: Paint): string[] {
  const widest = Math.max(0, ...facts.map(([name]) => widthOf(name)));
  return facts.flatMap(([name, cell]) => {
    const indent = " ".repeat(widest + GAP);
    const lines = wrapped(textOf(cell), columns && columns - indent.length);
    const tone = typeof cell === "string" ? undefined : cell.tone;
    return lines.map((line, at) => (at === 0 ? paint(name.padEnd(widest + GAP), "dim") : indent) + paint(line, tone));
  });
}

export function linesOf(piece: Piece, terminal: Terminal): string[] {
  const paint = painter(terminal);
  switch (piece.kind) {
    case "text":
      return harmless(piece.text)
        .split("\n")
        .flatMap((line) => wrapped(line, terminal.columns).map((part) => paint(part, piece.tone)));
    case "table":
      return piece.rows.length === 0 ? [piece.empty] : tableLines(piece, terminal, paint);
    case "facts":
      return factLines(piece, terminal, paint);
  }
}

/** A progress bar, if the total is known. */
export function barOf({ done, total, says }: Progress, columns = 80): string {
  if (total === undefined || total === 0) return cut(says, columns);
  const share = Math.min(1, done / total);
  const full = Math.round(share * BAR);
  return cut(
    `${"█".repeat(full)}${"░".repeat(BAR - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ${says}`,
    columns,
  );
}

/** Prints the output of a command, during and after its run. */
export function display(terminal: Terminal, { json, quiet }: GlobalOptions) {
  const paint = painter(terminal);
  let live = false;
  let lastTenth: number | undefined;
  function clear(): void {
    if (live) terminal.error("\r\u001b[K");
    live = false;
  }
  return {
    tell(line: string): void {
      if (json || quiet) return;
      clear();
      terminal.out(`${harmless(line)}\n`);
    },
    progress(state: Progress): void {
      if (json || quiet || (state.isFleeting && !terminal.isLive)) return;
      if (terminal.isLive) {
        terminal.error(`\r\u001b[K${barOf(state, (terminal.columns ?? 80) - 1)}`);
        live = true;
        return;
      }
      // In a log: a line for the beginning, and one for each tenth where the total is known.
      const tenth = state.total ? Math.floor((10 * state.done) / state.total) : 0;
      if (tenth === lastTenth) return;
      lastTenth = tenth;
      terminal.out(`  ${harmless(state.says)}${state.total ? ` (${10 * tenth} %)` : ""}\n`);
    },
    end(name: string, { code, data, shown, error }: Answer): void {
      clear();
      if (json) {
        const result = error ? { ok: false, command: name, data, error } : { ok: code === 0, command: name, data };
        terminal.out(`${JSON.stringify(result, undefined, 2)}\n`);
        return;
      }
      if (!quiet || code !== 0)
        for (const piece of shown) for (const line of linesOf(piece, terminal)) terminal.out(`${line}\n`);
      if (error) terminal.error(`${paint("✗", "bad")} ${harmless(error.message)}\n`);
    },
  };
}
