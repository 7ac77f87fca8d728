import { type Icon, IconBrandGithubFilled, IconBrandGoogleFilled, IconBrandWindowsFilled } from "@tabler/icons-react";
import type { Provider } from "../api.ts";

/** The names of the providers are names: the same in every language. */
export const PROVIDERS: Record<Provider, { name: string; icon: Icon }> = {
  google: { name: "Google", icon: IconBrandGoogleFilled },
  github: { name: "GitHub", icon: IconBrandGithubFilled },
  microsoft: { name: "Microsoft", icon: IconBrandWindowsFilled },
};

export function isProvider(name: string | undefined): name is Provider {
  return name !== undefined && Object.hasOwn(PROVIDERS, name);
}
