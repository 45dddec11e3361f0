/** A dump that cannot be restored here. The message completes "the dump is refused: …". */
export class DumpRefused extends Error {}
