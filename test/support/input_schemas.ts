import type * as v from "valibot";
import { inputOf } from "../../src/http/body.ts";

type Part = {
  kind: string;
  type: string;
  pipe?: Part[];
  entries?: Record<string, Part>;
  item?: Part;
  items?: Part[];
  options?: Part[];
  wrapped?: Part;
  rest?: Part;
  key?: Part;
  value?: Part;
  metadata?: { maxLength?: number };
};
export type Leaf = { path: string; schema: v.GenericSchema };
type Found = { leaves: Leaf[]; faults: string[] };

/** Schemas that contain no free text, or only compare it with known values. */
const CLOSED = ["boolean", "number", "literal", "picklist", "null", "undefined", "never"];

const flat = (pipe: Part[]): Part[] => pipe.flatMap((one) => (one.pipe ? flat(one.pipe) : [one]));

/** The check that processes a text before its length is validated; undefined if there is none. */
function lookedAtEarly(after: Part[]): string | undefined {
  const [first, second] = after;
  if (first?.type === "max_length")
    return second?.kind === "transformation" ? undefined : "goes on with what is too long";
  if (first?.type === "metadata" && first.metadata?.maxLength !== undefined && second?.type === "transform")
    return undefined;
  return `has ${first?.type ?? "nothing"} where its maximum belongs`;
}

/** Every string and array of a schema, and what is wrong with it. */
export function textsOf(schema: v.GenericSchema, path = ""): Found {
  const found: Found = { leaves: [], faults: [] };
  look(schema as unknown as Part, path, found);
  return found;
}

/** The schemas of a pipe, each with the actions that follow it up to the next one. */
function segmentsOf(part: Part): [whole: Part, after: Part[]][] {
  const segments: [Part, Part[]][] = [];
  for (const one of part.pipe ? flat(part.pipe) : [part]) {
    if (one.kind === "schema") segments.push([one, []]);
    else segments.at(-1)?.[1].push(one);
  }
  return segments;
}

function look(part: Part, path: string, found: Found): void {
  const segments = segmentsOf(part);
  for (const [whole, after] of segments) {
    // The first schema of a pipe refers to the pipe itself, so it would recurse.
    const schema = whole === segments[0]?.[0] ? part : whole;
    if (whole.type !== "unknown" || segments.length === 1) lookAt({ schema, whole, after }, path, found);
  }
}

type At = { schema: Part; whole: Part; after: Part[] };
function lookAt({ schema, whole, after }: At, path: string, found: Found): void {
  const inside = (one: Part | undefined, name: string) => one && look(one, `${path}.${name}`, found);
  const fault = (says: string) => found.faults.push(`${path} ${says}`);
  const counted = (type: string) => after.some((one) => one.type === type) || fault(`has no ${type}`);

  if (whole.type === "string") {
    found.leaves.push({ path, schema: schema as unknown as v.GenericSchema });
    const early = lookedAtEarly(after);
    if (early !== undefined) fault(early);
  } else if (whole.type === "array") {
    counted("max_length");
    inside(whole.item, "[]");
  } else if (whole.type === "record") {
    counted("max_entries");
    inside(whole.key, "(key)");
    inside(whole.value, "(value)");
  } else if (whole.entries) {
    for (const [name, entry] of Object.entries(whole.entries)) inside(entry, name);
    inside(whole.rest, "(rest)");
  } else if (whole.wrapped) look(whole.wrapped, path, found);
  else if (whole.options && whole.type !== "picklist") for (const one of whole.options) look(one, path, found);
  else if (whole.items) for (const one of whole.items) inside(one, "[]");
  else if (!CLOSED.includes(whole.type)) fault(`is ${whole.type}: nothing is known of it`);
}

type Routes = { routes: { method: string; path: string; handler: object }[] };

/** The schemas that validate the input of an app's routes. */
export function inputsOf(app: Routes): { route: string; schema: v.GenericSchema }[] {
  return app.routes.flatMap(({ method, path, handler }) => {
    const schema = inputOf(handler);
    return schema ? [{ route: `${method} ${path}`, schema }] : [];
  });
}

/** Runs `work` and returns the checks that processed a text longer than `max` meanwhile. */
export function processing(max: number, work: () => void): string[] {
  const seen: string[] = [];
  const note = (name: string, text: unknown) => {
    if (typeof text === "string" && text.length > max) seen.push(name);
  };
  const text = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const pattern = RegExp.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const names = ["normalize", "trim", "replace", "replaceAll", "split", "toLowerCase", "match", "matchAll", "includes"];
  const before = { text: names.map((name) => text[name]), exec: pattern.exec, test: pattern.test };
  for (const name of names) {
    const real = text[name];
    text[name] = function (this: string, ...args: unknown[]) {
      note(name, String(this));
      return real?.apply(this, args);
    };
  }
  for (const name of ["exec", "test"] as const) {
    const real = before[name];
    pattern[name] = function (this: RegExp, ...args: unknown[]) {
      note(name, args[0]);
      return real?.apply(this, args);
    };
  }
  try {
    work();
  } finally {
    names.forEach((name, index) => {
      const real = before.text[index];
      if (real) text[name] = real;
    });
    if (before.exec) pattern.exec = before.exec;
    if (before.test) pattern.test = before.test;
  }
  return seen;
}
