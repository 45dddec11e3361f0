/** Fetches and runs the script that imports the past of a repository. */
export function curlHistoryScript(baseUrl: string): string {
  return `curl -fsSL ${baseUrl}/ci/history.sh | sh`
}
