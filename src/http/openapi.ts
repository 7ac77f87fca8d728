import { API_SCOPES } from "../shared/api_scopes.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import type { ErrorCode } from "../shared/result.ts";
import { SAMPLES } from "./openapi_samples.ts";
import { WEBHOOK_MESSAGE, WEBHOOKS } from "./openapi_webhook.ts";
import { OPERATION_WORDS, WORDS } from "./openapi_words.ts";
import { WEBSITE_WORDS } from "./openapi_words_website.ts";
import { isScope, type Operation, operationOf, scopesOf, TAGS, type Tag } from "./operations.ts";
import { statusOf } from "./reply.ts";

type Json = { [key: string]: unknown };
type Described = Json & {
  summary: string;
  parameters?: (Json & { name: string })[];
  requestBody?: Json;
  responses: Json;
};
type Generated = Record<string, Record<string, Described>>;

const TAG_WORDS: Record<Tag | "Webhooks", string> = {
  Addresses: "Watched addresses: their status, settings and monitoring.",
  Alerts: "What was found, and what has been done about it.",
  Service: "How the service does and what this installation is. Open to everybody.",
  "Signing in": "For the website.",
  Account: "The profile, sessions, second factors and personal tokens. For the website.",
  Consent: "What owners of addresses agree to. For the website.",
  Domains: "Whole mail domains, and the say of the people at them. For the website.",
  "Contacts and tests": "Where alerts go. For the website.",
  "Plans and payment": "For the website.",
  "Help and news": "Tickets, and what every page has to say. For the website.",
  Staff: "For the people who run this installation.",
  "Other services": "Called by other services, with credentials of their own.",
  Webhooks: "What this service calls: addresses of yours that receive signed messages.",
};

const INTRODUCTION = `The interface for programs of ${PRODUCT}.

**Tokens.** Make a personal token on the page *Personal tokens* of your profile and send it with every request as \`Authorization: Bearer bb_…\`. A token has scopes (${API_SCOPES.map((scope) => `\`${scope}\``).join(", ")}); one scope does not include another. What was found takes \`alerts:read\`, wherever it is told: without it such fields are null, and calls that tell nothing else take both scopes. Cookies are not needed and not looked at. Calls marked as the website’s take no token at all.

**Answers** are JSON. A failure has a \`code\`, for invalid input also \`fields\` with a code each, and \`retryAfter\` (whole seconds) where waiting helps; \`CROSS_SITE\` has \`publicUrl\`, the address to use instead. Codes do not change; new ones may come.

**Limits.** 30 requests at once and one more each second (60 a minute) for each token, over all processes. \`RateLimit-Policy\` and \`RateLimit\` tell what is left, a 429 has \`Retry-After\`.

**Stability.** Fields may be added: ignore those that you do not know. Names, types and operation ids stay.`;

const TOKEN_ERRORS: ErrorCode[] = ["TOKEN_INVALID", "INSUFFICIENT_SCOPE", "RATE_LIMITED"];
const SESSION_ERRORS: ErrorCode[] = ["UNAUTHENTICATED", "SESSION_EXPIRED"];
const BODY_ERRORS: ErrorCode[] = [
  "INVALID_JSON",
  "INVALID_INPUT",
  "BODY_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "MEDIA_TYPE_UNSUPPORTED",
];

const STATUS_WORDS: Record<number, string> = {
  400: "The request cannot be understood",
  401: "Nobody is signed in, or the token does not work",
  402: "The payment was refused",
  403: "Not allowed",
  404: "There is no such thing",
  409: "It does not fit what is there now",
  410: "The link does not work any more",
  413: "Too large",
  415: "Not JSON",
  422: "The input is invalid",
  429: "Too many requests",
  500: "An error on our side",
  502: "Another service failed",
  503: "Busy or out of order for a moment",
};

function errorsOf({ access, errors = [] }: Operation, described: Described): ErrorCode[] {
  const hasQuery = described.parameters?.some((parameter) => parameter.in === "query") ?? false;
  return [
    ...new Set<ErrorCode>([
      ...(isScope(access) ? TOKEN_ERRORS : []),
      ...(isScope(access) || access === "website" ? SESSION_ERRORS : []),
      ...(described.requestBody ? BODY_ERRORS : hasQuery ? (["INVALID_INPUT"] as const) : []),
      ...errors,
      ...(["BUSY", "GENERIC"] as const),
    ]),
  ];
}

function exampleOf(code: ErrorCode): Json {
  if (code === "INVALID_INPUT") return { code, fields: { address: "EMAIL_INVALID" } };
  return statusOf(code) === 429 ? { code, retryAfter: 1 } : { code };
}

/** One response for each status, with an example of each of its codes. */
function failuresOf(codes: ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => statusOf(code));
  const answers = [...byStatus].map(([status, group]) => {
    const examples = Object.fromEntries(group.map((code) => [code, { value: exampleOf(code) }]));
    const schema = { $ref: "#/components/schemas/Failure" };
    const description = `${STATUS_WORDS[status] ?? "Failed"}: ${group.map((code) => `\`${code}\``).join(", ")}`;
    return [String(status), { description, content: { "application/json": { schema, examples } } }] as const;
  });
  return { "400": { description: "The request has no valid `Host`" }, ...Object.fromEntries(answers) };
}

/** The security requirements; empty where everybody may call. */
function securityOf({ access, also }: Pick<Operation, "access" | "also">): Json[] {
  if (isScope(access)) return [{ token: scopesOf({ access, ...(also && { also }) }) }, { session: [] }];
  return access === "website" ? [{ session: [] }, {}] : [];
}

/** Adds a description to every field: its own or the one of its name; a test refuses fields without one. */
function describeFields(schema: unknown, operation: string): unknown {
  if (Array.isArray(schema)) return schema.map((part) => describeFields(part, operation));
  if (typeof schema !== "object" || schema === null) return schema;
  const described: Json = {};
  for (const [key, value] of Object.entries(schema)) {
    const isFields = key === "properties" && typeof value === "object" && value !== null;
    described[key] = isFields
      ? Object.fromEntries(
          Object.entries(value).map(([name, field]) => [
            name,
            withWords(describeFields(field, operation), name, operation),
          ]),
        )
      : describeFields(value, operation);
  }
  return described;
}

function withWords(field: unknown, name: string, operation: string): unknown {
  const description = WORDS[`${operation}.${name}`] ?? WORDS[name] ?? WEBSITE_WORDS[name];
  return description === undefined ? field : { description, ...(field as Json) };
}

function completed(route: string, described: Described): Json {
  const operation = operationOf(route);
  const id = operation?.id ?? String(described.operationId);
  const access = operation?.access ?? "website";
  const failures = failuresOf(errorsOf({ id, access, ...operation }, described));
  const { parameters, requestBody, responses, summary } = described;
  const isWebsite = access === "website";
  return {
    operationId: id,
    summary,
    description: OPERATION_WORDS[id] ?? (isWebsite ? `${summary}. For the website; takes no token.` : `${summary}.`),
    tags: [operation?.tag ?? "Account"],
    security: securityOf(operation ?? { access }),
    ...(parameters && { parameters: parameters.map((one) => withWords(one, one.name, id)) }),
    ...(requestBody && { requestBody: describeFields(requestBody, id) }),
    responses: { ...(describeFields(responses, id) as Json), ...failures },
    ...(SAMPLES[id] && { "x-codeSamples": SAMPLES[id] }),
  };
}

const FAILURE = {
  type: "object",
  description: "Why it failed.",
  properties: {
    code: { type: "string", description: "Says why; upper case, never translated." },
    fields: {
      type: "object",
      description: "The fields that are wrong, each with its code.",
      additionalProperties: { type: "string" },
    },
    retryAfter: { type: "integer", description: "Whole seconds to wait before trying again." },
    publicUrl: { type: "string", description: "Where to send the request instead." },
  },
  required: ["code"],
};

/**
 * The published OpenAPI document: the `paths` generated from the routes and their schemas, with access, errors and descriptions.
 */
export function publicDocument(
  paths: object,
  { publicUrl, cookie, hasWebhooks }: { publicUrl: string; cookie: string; hasWebhooks: boolean },
) {
  const completedPaths = Object.entries(paths as Generated).map(([path, methods]) => {
    const route = path.replaceAll(/\{(\w+)\}/g, ":$1");
    const operations = Object.entries(methods).map(([method, described]) => {
      return [method, completed(`${method.toUpperCase()} ${route}`, described)] as const;
    });
    return [path, Object.fromEntries(operations)] as const;
  });
  const tags = [...TAGS, ...(hasWebhooks ? (["Webhooks"] as const) : [])].map((name) => ({
    name,
    description: TAG_WORDS[name],
  }));
  return {
    openapi: "3.1.0",
    info: { title: PRODUCT, version: VERSION, description: INTRODUCTION, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: publicUrl, description: "This installation" }],
    tags,
    paths: Object.fromEntries(completedPaths),
    ...(hasWebhooks && { webhooks: WEBHOOKS }),
    components: {
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          bearerFormat: "bb_…",
          description: "A personal token with this scope.",
        },
        session: { type: "apiKey", in: "cookie", name: cookie, description: "The website’s own session." },
      },
      schemas: { Failure: FAILURE, ...(hasWebhooks && { WebhookMessage: WEBHOOK_MESSAGE }) },
    },
  };
}
