import { none, row } from "./asvs_row.ts";

const NO_WEBRTC = none("WebRTC is not used");

/** WebRTC. */
export const V17 = [
  row("17.1.1", 2, "destinations reachable through a TURN server", NO_WEBRTC),
  row("17.2.1", 2, "DTLS keys", NO_WEBRTC),
  row("17.2.2", 2, "DTLS cipher suites", NO_WEBRTC),
  row("17.2.3", 2, "SRTP authentication", NO_WEBRTC),
  row("17.2.4", 2, "malformed packets", NO_WEBRTC),
  row("17.3.1", 2, "signalling floods", NO_WEBRTC),
  row("17.3.2", 2, "malformed signalling messages", NO_WEBRTC),
];
