import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, type Provider } from "../../api/api.ts";
import { instanceQuery } from "../../api/queries.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import classes from "./provider_buttons.module.css";
import { providerUrl } from "./provider_url.ts";
import { PROVIDERS } from "./providers.tsx";

/** Buttons to sign in with the configured providers; nothing if there are none. */
export function ProviderButtons() {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (provider: Provider) => providerUrl((await api.startProvider(provider, "sign_in")).url),
    onSuccess: (url) => location.assign(url),
    onError: useShowError("login.failed"),
  });
  const providers = instance?.providers ?? [];
  if (providers.length === 0) return null;
  // Inert until hydration: an earlier click would be lost.
  return (
    <div className={classes.providers} data-waits="true">
      <p className={classes.or}>{text("login.or")}</p>
      {providers.map((provider) => {
        const { name, icon: Mark } = PROVIDERS[provider];
        return (
          <Button
            key={provider}
            variant="default"
            size="md"
            leftSection={<Mark size={20} aria-hidden="true" />}
            loading={isPending && variables === provider}
            onClick={() => mutate(provider)}
          >
            {text("login.provider", { provider: name })}
          </Button>
        );
      })}
    </div>
  );
}
