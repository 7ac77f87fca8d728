import { Button, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { get } from "../../api/call.ts";
import { useShowError } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { rememberConfirmation } from "../../app/session.ts";
import { startAtProvider } from "../../shared/provider_url.ts";
import { Dialog } from "../dialog/dialog.tsx";

type Props = { opened: boolean; onCancel: () => void };

/** Sends the user to a provider for reauthentication, where there are no passwords. The step has to be repeated afterwards. */
export function ProviderQuestion({ opened, onCancel }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onCancel} title={text("confirm.provider_title")}>
      <Providers />
    </Dialog>
  );
}

function Providers() {
  const text = useText();
  const { data } = useQuery({ queryKey: ["/api/providers"], queryFn: () => get("/api/providers") });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (provider: string) => startAtProvider(provider, { purpose: "confirm" }),
    onSuccess: (url) => {
      rememberConfirmation(location);
      location.assign(url);
    },
    onError: useShowError("confirm.provider_title"),
  });
  const usable = data?.links.filter(({ canConfirm }) => canConfirm) ?? [];
  return (
    <Stack gap={18}>
      <Text>{text(data && usable.length === 0 ? "confirm.log_in_again" : "confirm.provider_text")}</Text>
      {usable.map(({ provider, label }) => (
        <Button key={provider} loading={isPending && variables === provider} onClick={() => mutate(provider)}>
          {text("login.provider", { provider: label })}
        </Button>
      ))}
    </Stack>
  );
}
