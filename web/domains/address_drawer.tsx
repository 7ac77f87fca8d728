import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { put } from "../api/call.ts";
import type { Domain, DomainAddressDetail } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { SourceNote } from "../shared/source_note.tsx";
import { useFocusBack } from "../ui/dialog/focus.ts";
import { Drawer } from "../ui/dialog/overlays.ts";
import { Address } from "../ui/display/address.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { FindingParts } from "./finding_parts.tsx";
import { addressQuery, useDomainAction } from "./queries.ts";

type Props = { domain: Domain; alias: string; onClose: () => void };

/** One address with its findings, in a drawer beside the list. */
export function AddressDrawer({ domain, alias, onClose }: Props) {
  const text = useText();
  const isOpen = alias !== "";
  useFocusBack(isOpen);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      position="right"
      size={680}
      padding="lg"
      title={text("domain.address")}
      closeButtonProps={{ "aria-label": text("close") }}
    >
      {isOpen && <Contents key={alias} domain={domain} alias={alias} onClose={onClose} />}
    </Drawer>
  );
}

function Contents({ domain, alias, onClose }: Props) {
  const text = useText();
  const query = useQuery(addressQuery(domain.id, alias));
  return (
    <Stack gap="lg">
      <Title order={3}>
        <Address>{`${alias}@${domain.name}`}</Address>
      </Title>
      <Fetched query={query} failureTitle={text("domain.address_failed")} height={320}>
        {(detail) => <Detail domain={domain} detail={detail} onMarked={onClose} />}
      </Fetched>
    </Stack>
  );
}

type DetailProps = { domain: Domain; detail: DomainAddressDetail; onMarked: () => void };

function Detail({ domain, detail, onMarked }: DetailProps) {
  const text = useText();
  const { kind, leaker, breaches, sites } = detail;
  const origin = breaches.find(({ name }) => name === leaker);
  return (
    <>
      <Text>{text(`domain.kind.${kind}`)}</Text>
      {origin && <Text>{text("domain.leaker", { title: origin.title })}</Text>}
      <Mark domain={domain} detail={detail} onMarked={onMarked} />
      <FindingParts breaches={breaches} sites={sites} />
      <SourceNote shown={breaches.map((breach) => ({ breach, sources: [] }))} />
    </>
  );
}

/** Says whose address it is; only where all addresses reach one mailbox, and its owner has not answered. */
function Mark({ domain: { id, catchAll }, detail: { alias, kind, taken }, onMarked }: DetailProps) {
  const text = useText();
  const other = kind === "person" ? "alias" : "person";
  const { mutate, isPending } = useDomainAction({
    call: () => put("/api/domains/:id/addresses", { params: { id }, body: { alias, kind: other } }),
    failureTitle: "domain.mark_failed",
    onDone() {
      toast.success(text(`domain.marked_${other}`));
      onMarked();
    },
  });
  if (!catchAll || kind === "role" || taken) return null;
  return (
    <div>
      <Group gap="sm">
        <Button variant="default" loading={isPending} onClick={() => mutate()}>
          {text(`domain.mark_${other}`)}
        </Button>
      </Group>
      <Text c="dimmed" size="sm" mt={6}>
        {text(`domain.mark_${other}_hint`)}
      </Text>
    </div>
  );
}
