import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { instanceQuery } from "../../api/queries.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { startAtProvider } from "../../shared/provider_url.ts";
import classes from "./provider_buttons.module.css";
import { PROVIDER_ICONS } from "./providers.tsx";

type Props = {
  /** There is no other way to log in. */
  alone?: boolean;
  /** The token of the operator's link to register. */
  invitation?: string | undefined;
};

/** Buttons to sign in with the configured providers; nothing if there are none. */
export function ProviderButtons({ alone = false, invitation }: Props) {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (provider: string) =>
      startAtProvider(provider, { purpose: "sign_in", ...(invitation && { invitation }) }),
    onSuccess: (url) => location.assign(url),
    onError: useShowError("login.failed"),
  });
  const providers = instance?.providers ?? [];
  if (providers.length === 0) return null;
  // Inert until hydration: an earlier click would be lost.
  return (
    <div className={classes.providers} data-waits="true">
      {!alone && <p className={classes.or}>{text("login.or")}</p>}
      {providers.map(({ name, label, icon }) => {
        const Mark = PROVIDER_ICONS[icon];
        return (
          <Button
            key={name}
            variant={alone && providers.length === 1 ? "filled" : "default"}
            size="md"
            leftSection={<Mark size={20} aria-hidden="true" />}
            loading={isPending && variables === name}
            onClick={() => mutate(name)}
          >
            {text("login.provider", { provider: label })}
          </Button>
        );
      })}
    </div>
  );
}
