type Rules = { createHTML?: (text: string) => string; createScriptURL?: (address: string) => string };
type Factory = { createPolicy(name: string, rules: Rules): Required<Rules> };

/** The names of our rules, as the server's policy lists them; each may be made once. */
type Name = "source-text" | "offline-worker";

/**
 * What turns text into markup or the address of a script, where the browser knows Trusted Types: there nothing else can.
 * A rule throws for what it does not take. The DOM's types do not know them yet, so what comes of a rule is called a string.
 */
export function trusting<Own extends Rules>(name: Name, rules: Own): Own {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return (trustedTypes?.createPolicy(name, rules) as Own | undefined) ?? rules;
}
