import * as v from "valibot";

const LONGEST_NAME = 60;
const text = v.fallback(v.nullish(v.pipe(v.string(), v.trim())), undefined);

/** Claims that a profile is made of. Those of another type count as missing. */
export const personClaims = v.object({
  email: text,
  email_verified: v.optional(v.unknown()),
  name: text,
  given_name: text,
  family_name: text,
});
type Person = Partial<v.InferOutput<typeof personClaims>>;

/** First and last name, where the provider has them; else the first word of the name and the rest. */
export function namesOf(person: Pick<Person, "name" | "given_name" | "family_name">) {
  const [first = "", ...others] = (person.name ?? "").split(/\s+/);
  const firstName = (person.given_name || first).slice(0, LONGEST_NAME);
  const lastName = (person.given_name ? (person.family_name ?? "") : others.join(" ")).slice(0, LONGEST_NAME);
  return { ...(firstName && { firstName }), ...(lastName && { lastName }) };
}
