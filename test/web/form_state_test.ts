import { expect, test } from "bun:test";
import * as v from "valibot";
import { schemaErrors } from "../../web/forms/form_state.ts";

const errorsOf = schemaErrors(
  v.object({
    email: v.pipe(v.string(), v.nonEmpty("EMAIL_REQUIRED"), v.email("EMAIL_INVALID")),
    contacts: v.object({ ntfy: v.array(v.pipe(v.string(), v.url("CONTACT_INVALID"))) }),
  }),
);

test("schemaErrors() names the first error of each field by its path", () => {
  expect(errorsOf({ email: "", contacts: { ntfy: ["https://ntfy.example/a", "b", "c"] } })).toEqual({
    email: "EMAIL_REQUIRED",
    "contacts.ntfy.1": "CONTACT_INVALID",
    "contacts.ntfy.2": "CONTACT_INVALID",
  });
});

test("schemaErrors() finds none in valid values", () => {
  expect(errorsOf({ email: "ada@example.org", contacts: { ntfy: [] } })).toEqual({});
});
