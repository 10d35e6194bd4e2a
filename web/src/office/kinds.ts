// Written by `python -m tools.web web/src`; a test compares. Do not edit.

/** How grave a significant event is, and the kinds there are (OFF-11). */
export const SEVERITIES = [
  "alarm",
  "warning",
  "info"
] as const;
export const KINDS = [
  "login-failed",
  "login-locked",
  "login-unlocked",
  "second-factor",
  "role",
  "player-locked",
  "player-unlocked",
  "large-win",
  "large-stake",
  "void",
  "correction",
  "scan-refused",
  "dealer-late",
  "shoe-miscounted",
  "pause",
  "resume",
  "supervisor-called",
  "configuration",
  "adjustment",
  "clock",
  "unavailable",
  "available",
  "self-check",
  "return-alarm",
  "short-lived",
  "own-order"
] as const;

/** Settings of the office that belong to the file, those that administrators change, and those that are no amounts of money. */
export const FILE_ONLY: readonly string[] = [
  "two_people",
  "second_factor",
  "idle_minutes"
];
export const CAPS: readonly string[] = [
  "alone_amount",
  "alone_day",
  "alone_vip",
  "alone_vips"
];
export const COUNTED: readonly string[] = [
  "signal_withdrawn_percent",
  "signal_played_percent",
  "signal_chasing_deposits",
  "signal_hours",
  "signal_nights",
  "signal_accounts"
];
