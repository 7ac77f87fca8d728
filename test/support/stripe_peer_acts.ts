import type { StripeObject, StripeState, StripeSubscription } from "./stripe_peer_state.ts";

/** Actions of payers, banks, operators and time at Stripe. Each creates the events that Stripe would send. */
export function stripeActs(state: StripeState) {
  const { objects, emit, bill } = state;
  const sessionOf = (id: string) => state.find("sessions", id);
  const shown = ({ line_items: _, subscription_data: __, ...session }: StripeObject) => session as StripeObject;

  function subscriptionOf(customer: string): StripeSubscription {
    const found = state.subscriptionsOf(customer).findLast(({ status }) => status !== "canceled");
    if (!found) throw new Error(`Customer "${customer}" has no subscription`);
    return found;
  }

  function openInvoice(subscription: StripeSubscription): StripeObject {
    const open = [...objects.invoices.values()].findLast(
      ({ status, customer }) => status === "open" && customer === subscription.customer,
    );
    if (!open) throw new Error("There is no open invoice");
    return open;
  }

  function regularLines(subscription: StripeSubscription): [string, number, number][] {
    const [{ price, quantity }] = subscription.items.data;
    const whole = state.find("prices", price.id);
    return [[price.id, quantity, state.amountOf(whole, subscription.currency) * quantity]];
  }

  return {
    /** Removes and returns the events since the last call, oldest first. */
    takeEvents: () => state.events.splice(0),
    declineCards: (customer: string) => void state.declined.add(customer),
    subscriptionOf,

    /** Pays on the hosted page; `delayed`: with a method that settles later. */
    completeCheckout(sessionId: string, { delayed = false }: { delayed?: boolean } = {}): StripeSubscription {
      const session = sessionOf(sessionId);
      if (session.status !== "open") throw new Error("The session is not open");
      const lines = session.line_items as { data: [{ price: StripeObject; quantity: number }] };
      const [{ price: named, quantity }] = lines.data;
      const price = state.find("prices", named.id);
      const { metadata = {} } = (session.subscription_data ?? {}) as { metadata?: Record<string, unknown> };
      const [customer, currency] = [String(session.customer), String(session.currency)];
      const subscription = state.subscribe({ customer, currency, price, quantity, metadata });
      const invoice = bill({ subscription, lines: regularLines(subscription), status: delayed ? "open" : "paid" });
      const payment_status = delayed ? "unpaid" : "paid";
      Object.assign(session, { status: "complete", payment_status, subscription: subscription.id, url: null });
      emit("customer.subscription.created", subscription);
      if (!delayed) emit("invoice.paid", invoice);
      emit("checkout.session.completed", shown(session));
      return subscription;
    },

    /** The period ends and the next one is paid, or the card is declined. */
    renew(customer: string, { fails = false }: { fails?: boolean } = {}): void {
      const subscription = subscriptionOf(customer);
      const [item] = subscription.items.data;
      if (subscription.cancel_at_period_end) {
        state.end(subscription);
        return;
      }
      const start = Math.max(item.current_period_end, state.seconds());
      const end = state.periodAfter(start, item.price);
      Object.assign(item, { current_period_start: start, current_period_end: end });
      const invoice = bill({ subscription, lines: regularLines(subscription), status: fails ? "open" : "paid" });
      if (fails) subscription.status = "past_due";
      emit("customer.subscription.updated", subscription);
      emit(fails ? "invoice.payment_failed" : "invoice.paid", invoice);
    },

    /** The open invoice is paid after all. */
    payOpen(customer: string): void {
      const subscription = subscriptionOf(customer);
      const invoice = openInvoice(subscription);
      const { amount_due } = invoice;
      Object.assign(invoice, { status: "paid", amount_paid: amount_due, amount_remaining: 0 });
      subscription.status = "active";
      emit("invoice.paid", invoice);
      emit("customer.subscription.updated", subscription);
    },

    /** Stripe has exhausted its retries. */
    giveUp(customer: string): void {
      const subscription = subscriptionOf(customer);
      subscription.status = "unpaid";
      emit("customer.subscription.updated", subscription);
    },

    /** In the portal: cancels at the end of the period, or resumes. */
    cancelAtPeriodEnd(customer: string, cancels = true): void {
      const subscription = subscriptionOf(customer);
      const [{ current_period_end: end }] = subscription.items.data;
      Object.assign(subscription, { cancel_at_period_end: cancels, cancel_at: cancels ? end : null });
      emit("customer.subscription.updated", subscription);
    },
    cancelNow: (customer: string): void => state.end(subscriptionOf(customer)),

    /** The operator refunds the last invoice and ends the plan. */
    refund(customer: string): void {
      const invoice = [...objects.invoices.values()].findLast((one) => one.customer === customer);
      if (!invoice) throw new Error("There is nothing to refund");
      invoice.post_payment_credit_notes_amount = invoice.total;
      state.end(subscriptionOf(customer));
    },

    /** The operator deletes the customer. */
    deleteCustomer(customer: string): void {
      const found = state.findCustomer(customer);
      for (const subscription of state.subscriptionsOf(customer)) state.end(subscription);
      emit("customer.deleted", found);
      objects.customers.set(customer, { id: customer, object: "customer", deleted: true });
    },

    /** The operator sets another quantity. */
    setQuantity(customer: string, quantity: number): void {
      const subscription = subscriptionOf(customer);
      subscription.items.data[0].quantity = quantity;
      emit("customer.subscription.updated", subscription);
    },
  };
}
