import type { Newcomer, Provider } from "../../api/api.ts";
import { Text } from "../../app/i18n.tsx";
import { PROVIDERS } from "./providers.tsx";

/** Somebody whom a provider vouches for, but who has no account here; handed on in the history entry. */
export type FromProvider = { provider: Provider; profile: Newcomer };

/** Why somebody who wanted to log in finds a registration, and what comes of it. */
export function WhyHere({ provider, profile }: FromProvider) {
  const email = (
    <strong key="email" className="breakable">
      {profile.email}
    </strong>
  );
  return <Text id="register.from_provider" values={{ email, provider: PROVIDERS[provider].name }} />;
}
