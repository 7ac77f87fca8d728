import { type Icon, IconBrandGithubFilled, IconBrandGoogleFilled, IconBrandWindowsFilled } from "@tabler/icons-react";
import type { Provider } from "../../api/api.ts";
import { PROVIDER_NAMES } from "../../shared/provider_names.ts";

export const PROVIDERS: Record<Provider, { name: string; icon: Icon }> = {
  google: { name: PROVIDER_NAMES.google, icon: IconBrandGoogleFilled },
  github: { name: PROVIDER_NAMES.github, icon: IconBrandGithubFilled },
  microsoft: { name: PROVIDER_NAMES.microsoft, icon: IconBrandWindowsFilled },
};
