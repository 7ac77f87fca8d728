import type { Newcomer } from "../../api/api.ts";
import { Text } from "../../app/i18n.tsx";
import { Address } from "../../ui/display/address.tsx";
import { useProviders } from "./providers.tsx";

/** A provider's profile that has no account here; passed in the history state. */
export type FromProvider = { provider: string; profile: Newcomer };

/** Explains to a user who tried to log in by a provider why the registration opens instead. */
export function WhyHere({ provider, profile }: FromProvider) {
  const providerOf = useProviders();
  const email = (
    <strong key="email">
      <Address>{profile.email}</Address>
    </strong>
  );
  return <Text id="register.from_provider" values={{ email, provider: providerOf(provider).label }} />;
}
