import { readFileSync } from "node:fs";
import Ajv, { type ErrorObject, type ValidateFunction } from "ajv";

export type Schema = {
  $ref?: string;
  type?: string;
  nullable?: boolean;
  enum?: unknown[];
  anyOf?: Schema[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
};
type Operation = {
  operationId: string;
  parameters: { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: { "200": { content: Record<string, { schema: Schema }> } };
};
type Document = {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const ID = "stripe";
const text = readFileSync(`${import.meta.dir}/stripe_openapi.json`, "utf8");
const document = JSON.parse(text.replaceAll('"#/components/', `"${ID}#/components/`)) as Document;
export const STRIPE_VERSION = document.info.version;
const options = { strict: false, allErrors: true, validateFormats: false } as const;
/** Form values are all text; responses are typed. */
const requests = new Ajv({ ...options, coerceTypes: true });
const answers = new Ajv(options);
for (const ajv of [requests, answers]) ajv.addSchema({ $id: ID, components: document.components });

const compiled = new Map<string, ValidateFunction>();
function validatorOf(ajv: Ajv, name: string, schema: () => Schema): ValidateFunction {
  const validate = compiled.get(name) ?? ajv.compile(schema());
  compiled.set(name, validate);
  return validate;
}

export type Route = { operation: Operation; id: string | undefined };

/** Literal paths before those with an id. */
export function routeOf(method: string, path: string): Route | undefined {
  const literal = document.paths[path]?.[method];
  if (literal) return { operation: literal, id: undefined };
  for (const [template, operations] of Object.entries(document.paths)) {
    const pattern = new RegExp(`^${template.replaceAll("/", String.raw`\/`).replace("{id}", "([^/]+)")}$`);
    const [, id] = template.includes("{id}") ? (pattern.exec(path) ?? []) : [];
    const operation = id === undefined ? undefined : operations[method];
    if (operation) return { operation, id };
  }
  return undefined;
}

/** The schema of a request: its body, or its query as one closed object. */
function requestSchema({ parameters, requestBody }: Operation): Schema {
  const [body] = Object.values(requestBody?.content ?? {});
  if (body) return body.schema;
  const query = parameters.filter((parameter) => parameter.in === "query");
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  const required = query.flatMap(({ name, required }) => (required ? [name] : []));
  return { type: "object", properties, required, additionalProperties: false } as Schema;
}

export type Refusal = { code: string; param: string; message: string };

const CODES: Record<string, string> = { additionalProperties: "parameter_unknown", required: "parameter_missing" };

function refusalOf(errors: ErrorObject[]): Refusal {
  const error = errors.find(({ keyword }) => keyword !== "anyOf") ?? errors[0];
  if (!error) throw new Error("Cannot tell what is wrong: the schema did not say it");
  const { additionalProperty, missingProperty } = error.params;
  const steps = [...error.instancePath.split("/").slice(1), additionalProperty ?? missingProperty].filter(Boolean);
  const [first = "", ...rest] = steps;
  const param = `${first}${rest.map((step) => `[${step}]`).join("")}`;
  return { code: CODES[error.keyword] ?? "parameter_invalid", param, message: `${param} ${error.message}` };
}

/** Converts the parameters to their types, in place; returns what Stripe would reject. */
export function checkRequest(operation: Operation, params: unknown): Refusal | undefined {
  const validate = validatorOf(requests, `request ${operation.operationId}`, () => requestSchema(operation));
  return validate(params) ? undefined : refusalOf(validate.errors ?? []);
}

function check(name: string, schema: () => Schema, value: unknown): void {
  const validate = validatorOf(answers, name, schema);
  if (!validate(value))
    throw new Error(`The stand-in broke the contract "${name}": ${answers.errorsText(validate.errors)}`);
}

/** The fake must comply with the contract too. */
export function checkAnswer({ operationId, responses }: Operation, value: unknown): void {
  const [content] = Object.values(responses["200"].content);
  if (content) check(`answer ${operationId}`, () => content.schema, value);
}
export function checkEvent(type: string, value: unknown): void {
  check(`event ${type}`, () => ({ $ref: `${ID}#/components/schemas/webhook_event.${type}` }), value);
}

function resolved(schema: Schema): Schema {
  return schema.$ref ? (document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
}

/** The simplest value that a schema accepts. */
function simplest(schema: Schema): unknown {
  const { type, nullable, enum: values, anyOf, items } = resolved(schema);
  if (nullable) return null;
  if (values) return values[0];
  if (anyOf?.[0]) return anyOf.some((one) => one.nullable) ? null : simplest(anyOf[0]);
  if (type === "array") return items ? [] : [];
  if (type === "object") return filled(resolved(schema));
  return { string: "", integer: 0, number: 0, boolean: false }[type ?? ""] ?? {};
}

function filled({ required = [], properties = {} }: Schema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, simplest(properties[name] ?? {})]));
}

/** A Stripe object with all its required fields. */
export function stripeObject<Part extends object>(name: string, part: Part) {
  return { ...filled(document.components.schemas[name] ?? {}), ...part } as Part & Record<string, unknown>;
}
