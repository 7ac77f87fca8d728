import { IconKeyOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { instanceQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import type { TextId } from "../../app/text_id.ts";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { ProviderButtons } from "./provider_buttons.tsx";
import { EntranceCard } from "./sign_in_card.tsx";

/** Whether providers are the only way to log in here, without passwords. */
export function useProvidersOnly(): boolean {
  return useQuery(instanceQuery).data?.providersOnly === true;
}

type Props = { title: string; lead: ReactNode; invitation?: string | undefined; below?: ReactNode };

/** The log-in or registration where providers are the only way to log in. */
export function ByProviders({ title, lead, invitation, below }: Props) {
  return (
    <EntranceCard title={title} lead={lead} below={below}>
      <ProviderButtons alone invitation={invitation} />
    </EntranceCard>
  );
}

/** In place of a page about passwords: says how to log in, and whom to ask. */
export function NoPasswords({ title }: { title: TextId }) {
  const text = useText();
  const email = useQuery(instanceQuery).data?.operator.supportEmail ?? "";
  return (
    <EntranceCard title={text(title)} below={<BackToLogin />}>
      <EmptyState order={2} icon={IconKeyOff} title={text("forgot.no_passwords")}>
        {text("forgot.no_passwords_text", { email })}
      </EmptyState>
    </EntranceCard>
  );
}
