/** What can become of a database, by the name that its line in the log has. */
export type DatabaseEvent =
  | 'database_opening'
  | 'database_waiting'
  | 'database_migrating'
  | 'database_ready'
  | 'database_unsafe'
  | 'database_shared'
  | 'database_lost'
  | 'database_replaced'
  | 'database_moved'
  | 'database_back'
  | 'bell_lost'
  | 'bell_back'
  | 'standby_left'
  | 'standby_back'

/** Takes news for the operator: a sentence, and what it is about. */
export type Tell = (news: string, event?: DatabaseEvent) => void
