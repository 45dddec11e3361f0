/**
 * The database of the configuration cannot be used, and waiting does not mend it. The message is one line
 * that says what to do.
 */
export class DatabaseUnusable extends Error {}
