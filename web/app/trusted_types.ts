type Rules = { createHTML?: (text: string) => string; createScriptURL?: (address: string) => string };
type Factory = { createPolicy(name: string, rules: Rules): Required<Rules> };

/** Trusted Types policy names, as listed in the server's content security policy; each may be created once. */
type Name = "source-text" | "offline-worker";

/**
 * Creates a Trusted Types policy where the browser supports it: there only policies can turn text into markup or script
 * addresses. A rule throws for input that it rejects. The DOM types lack Trusted Types, so the results are typed as
 * strings.
 */
export function trusting<Own extends Rules>(name: Name, rules: Own): Own {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return (trustedTypes?.createPolicy(name, rules) as Own | undefined) ?? rules;
}
