import {
  type Icon,
  IconBrandGithubFilled,
  IconBrandGoogleFilled,
  IconBrandWindowsFilled,
  IconBuilding,
  IconHome,
  IconKey,
  IconSchool,
  IconShield,
  IconUsers,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Provider } from "../../api/api.ts";
import { instanceQuery } from "../../api/queries.ts";
import { providerName } from "../../shared/provider_names.ts";

/** The icons that an operator can choose for a sign-in provider. */
export const PROVIDER_ICONS: Record<Provider["icon"], Icon> = {
  key: IconKey,
  shield: IconShield,
  building: IconBuilding,
  home: IconHome,
  school: IconSchool,
  users: IconUsers,
  google: IconBrandGoogleFilled,
  github: IconBrandGithubFilled,
  microsoft: IconBrandWindowsFilled,
};

/** Returns a function that finds a sign-in provider of this installation, also one that is no longer configured. */
export function useProviders() {
  const { data: instance } = useQuery(instanceQuery);
  return (name: string): Provider => {
    const known = instance?.providers.find((provider) => provider.name === name);
    const icon = Object.hasOwn(PROVIDER_ICONS, name) ? (name as Provider["icon"]) : "key";
    return known ?? { name, label: providerName(name), icon, singleLogout: false };
  };
}
