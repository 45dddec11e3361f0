/** What Postgres is started with. Given on its command line, so that a new release changes them without a file. */
const settings: Readonly<Record<string, string | number>> = {
  // Only by a socket: the OpenSSL of the package is old.
  listen_addresses: '',
  unix_socket_permissions: '0700',
  ssl: 'off',
  // The pool, its other connections, and those of some commands.
  max_connections: 40,
  shared_buffers: '32MB',
  huge_pages: 'off',
  // Containers have little room in /dev/shm, or none.
  dynamic_shared_memory_type: 'mmap',
  max_worker_processes: 0,
  max_parallel_workers: 0,
  max_logical_replication_workers: 0,
  jit: 'off',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  autovacuum: 'on',
  wal_level: 'minimal',
  max_wal_senders: 0,
  min_wal_size: '32MB',
  max_wal_size: '128MB',
  timezone: 'UTC',
  // A statement or a row may hold what users typed, and does not belong in a log.
  log_destination: 'stderr',
  logging_collector: 'off',
  log_line_prefix: '',
  log_error_verbosity: 'terse',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  // So that a long recovery is not taken for one that hangs (watch.ts).
  log_startup_progress_interval: '10s',
  log_autovacuum_min_duration: -1,
}

/** Without it, Postgres 18 has three more processes. Older versions do not know it. */
const since18 = { io_method: 'sync' }

/** The arguments of `postgres`. `socketFolder` is where it listens. */
export function serverArguments(path: string, socketFolder: string, major: number): readonly string[] {
  const all = { ...settings, ...(major >= 18 ? since18 : {}), unix_socket_directories: socketFolder }
  const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  return ['-D', path, ...pairs.flatMap((pair) => ['-c', pair])]
}
