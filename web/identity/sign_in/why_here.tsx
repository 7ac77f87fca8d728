import type { Newcomer, Provider } from "../../api/api.ts";
import { Text } from "../../app/i18n.tsx";
import { Address } from "../../ui/display/address.tsx";
import { PROVIDERS } from "./providers.tsx";

/** A provider's profile that has no account here; passed in the history state. */
export type FromProvider = { provider: Provider; profile: Newcomer };

/** Explains to a user who tried to log in by a provider why the registration opens instead. */
export function WhyHere({ provider, profile }: FromProvider) {
  const email = (
    <strong key="email">
      <Address>{profile.email}</Address>
    </strong>
  );
  return <Text id="register.from_provider" values={{ email, provider: PROVIDERS[provider].name }} />;
}
