export const help = `Usage: npm start [-- <command>]

  serve               run the service (without a command, too)
  password <username> print a link, good once, at which a user chooses a new password
  account <username>  print a link, good once, at which somebody chooses the password of a new account
  help                print this

Settings are environment variables: docs/decisions.md#operation lists them.`
