import { queryOptions } from "@tanstack/react-query";
import { call } from "../api/call.ts";

export type Schema = {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  $ref?: string;
};
type Content = Record<string, { schema?: Schema; examples?: Record<string, unknown> }>;
export type Sample = { lang: string; label: string; source: string };
export type Parameter = { in: string; name: string; description?: string; required?: boolean; schema?: Schema };
export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
  "x-codeSamples"?: Sample[];
};
export type ApiDocument = {
  info: { description: string; version: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** Missing if this installation sends no webhooks. */
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
/** An operation with its method and path. */
export type Call = Operation & { method: string; path: string };

export const documentQuery = queryOptions({
  queryKey: ["/api/openapi.json"],
  queryFn: () => call<ApiDocument>("GET", "/api/openapi.json", {}),
  staleTime: Number.POSITIVE_INFINITY,
});

export function callsOf(paths: ApiDocument["paths"]): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
}

/**
 * Who may call an operation: with a token that has all these scopes, anybody (`open`), or only a signed-in user
 * (`session`).
 */
export function accessOf({
  security = [],
}: Operation): { kind: "open" | "session" } | { kind: "token"; scope: string } {
  const scopes = security.flatMap(({ token }) => token ?? []);
  if (scopes.length > 0) return { kind: "token", scope: scopes.join(" + ") };
  return { kind: security.length === 0 ? "open" : "session" };
}

/** Operations that match a search by path, id or summary; without `website` only those meant for programs. */
export function found(calls: Call[], { search, website }: { search: string; website: boolean }): Call[] {
  const words = search.trim().toLowerCase();
  return calls.filter((one) => {
    const isForPrograms = accessOf(one).kind !== "session" && one.path.startsWith("/api/");
    if (!website && (!isForPrograms || one.tags.includes("Other services"))) return false;
    const text = `${one.method} ${one.path} ${one.operationId} ${one.summary}`.toLowerCase();
    return words === "" || text.includes(words);
  });
}

export function resolved(schema: Schema | undefined, document: ApiDocument): Schema | undefined {
  const name = schema?.$ref?.split("/").at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

/** A type in TypeScript notation. */
export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" | ");
  if (schema.type === "array") {
    const item = schema.items ? typeOf(schema.items) : "unknown";
    return item.includes(" ") ? `(${item})[]` : `${item}[]`;
  }
  return [schema.type ?? "unknown"].flat().join(" | ");
}

/**
 * The fields of an object, or of a list's items or the first alternative that has fields, as [name, schema, required].
 */
export function fieldsOf(schema: Schema | undefined): [string, Schema, boolean][] {
  if (!schema) return [];
  if (schema.properties)
    return Object.entries(schema.properties).map(([name, field]) => [
      name,
      field,
      schema.required?.includes(name) ?? false,
    ]);
  if (schema.items) return fieldsOf(schema.items);
  return fieldsOf(schema.anyOf?.find((one) => fieldsOf(one).length > 0));
}
