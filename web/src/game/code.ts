/** The code of a round: its date, the time at which it was opened, by GMT, and some letters of its own (PLT-20). */

/** The time in a code, as it is shown; undefined where there is no round. */
export function timeOf(code: string): string | undefined {
  return /-(\d\d)(\d\d)(\d\d)-/.exec(code)?.slice(1).join(":");
}
