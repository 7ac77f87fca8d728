import * as v from "valibot";
import { API_SCOPES, scopesNeededBy } from "../../shared/api_scopes.ts";
import { name } from "../../shared/person_fields.ts";
import { misfit } from "../inputs.ts";

/** Lifetime in days; null for a token that is valid until revoked. */
export const TOKEN_DAYS = [30, 90, 365] as const;

/** `POST /api/tokens`. */
export const apiTokenInput = v.strictObject(
  {
    name: name("TOKEN_NAME_REQUIRED"),
    scopes: v.pipe(
      v.array(v.picklist(API_SCOPES, "SCOPE_REQUIRED"), "SCOPE_REQUIRED"),
      v.nonEmpty("SCOPE_REQUIRED"),
      v.maxLength(API_SCOPES.length, "SCOPE_REQUIRED"),
      v.check((scopes) => scopesNeededBy(scopes).every((scope) => scopes.includes(scope)), "SCOPE_INCOMPLETE"),
    ),
    days: v.nullable(v.picklist(TOKEN_DAYS, "FIELD_REQUIRED")),
  },
  misfit,
);
export type ApiTokenInput = v.InferOutput<typeof apiTokenInput>;
