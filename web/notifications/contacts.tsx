import { Button } from "@mantine/core";
import { IconAddressBook, IconSend } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { EmptyState } from "../ui/display/empty_state.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { Pager } from "../ui/display/pager.tsx";
import { useExistingPage } from "../ui/display/use_existing_page.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { AddContact } from "./add_contact.tsx";
import classes from "./contact_card.module.css";
import { ContactCard } from "./contact_card.tsx";
import { OffChannels } from "./off_channels.tsx";

/** The contacts that receive the account's alerts, with their delivery health. */
export default function Contacts() {
  const text = useText();
  const [page, setPage] = useState(1);
  const query = useQuery({ ...contactsQuery({ page }), staleTime: 0, placeholderData: keepPreviousData });
  useExistingPage(query.data, setPage);
  return (
    <>
      <PageHead
        title={text("contact_list.title")}
        action={
          <Button
            component={Link}
            to="../test-alerts"
            variant="light"
            leftSection={<IconSend size={18} aria-hidden="true" />}
          >
            {text("nav.test_alerts")}
          </Button>
        }
      >
        {text("contact_list.lead")}
      </PageHead>
      <AddContact />
      <Fetched query={query} failureTitle={text("contact_list.load_failed")} height={320}>
        {({ items, total, page: shown, pageSize }) =>
          total === 0 ? (
            <NoContacts />
          ) : (
            <>
              <ul className={classes.list} aria-label={text("contact_list.label")}>
                {items.map((contact) => (
                  <ContactCard key={contact.id} contact={contact} />
                ))}
              </ul>
              <Pager page={shown} pageSize={pageSize} total={total} onPage={setPage} />
            </>
          )
        }
      </Fetched>
      <OffChannels />
    </>
  );
}

function NoContacts() {
  const text = useText();
  return (
    <Card>
      <EmptyState
        order={2}
        icon={IconAddressBook}
        title={text("contact_list.empty_title")}
        action={
          <Button component={Link} to="../new-track">
            {text("nav.new_track")}
          </Button>
        }
      >
        {text("contact_list.empty")}
      </EmptyState>
    </Card>
  );
}
