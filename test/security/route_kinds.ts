/** Website routes that need no session: logging in, and links from mails. */
export const WITHOUT_SESSION = [
  ...[
    "POST /api/register",
    "POST /api/register/inspect",
    "POST /api/login",
    "POST /api/logout",
    "GET /api/check-user-authentication/",
  ],
  ...["POST /api/forgot-password", "POST /api/reset-password/check", "POST /api/reset-password"],
  ...["POST /api/providers/:provider/start", "POST /api/providers/:provider/finish"],
  ...["POST /api/email-change/inspect", "POST /api/email-change/confirm"],
  ...["inspect", "accept", "decline", "scope", "withdraw"].map((act) => `POST /api/invitation-links/${act}`),
  ...["inspect", "confirm", "unsubscribe", "resubscribe"].map((act) => `POST /api/contact-links/${act}`),
  ...["inspect", "answer"].map((act) => `POST /api/domain-links/${act}`),
  ...["POST /api/aliases/inspect", "POST /api/aliases/confirm"],
  // The button of a notification, with a keyed mark.
  "POST /api/push/seen",
  ...["POST /api/order-success", "GET /api/plans", "GET /api/service-notice"],
];
/** The second step, for those who have completed the first. */
export const HALF_WAY = [
  ...["GET /api/sign-in", "POST /api/verify-code", "POST /api/resend-code", "POST /api/verify-authenticator"],
  ...["POST /api/verify-recovery-code", "POST /api/verify-passkey/options", "POST /api/verify-passkey"],
];
