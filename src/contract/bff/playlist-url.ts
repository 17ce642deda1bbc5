/**
 * The playlist address of a subscriber, made from the template of the deployment. It holds the access token, so it is as
 * secret as the token is.
 *
 * @param template an address with `{token}`, and perhaps `{username}`
 */
export function playlistUrlOf(template: string, of: { accessToken: string; username: string }): string {
  const values: Readonly<Record<string, string>> = { token: of.accessToken, username: of.username };
  // In one pass: a username may itself look like a placeholder.
  return template.replace(/\{(token|username)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
}

/** True for a template of https addresses that `playlistUrlOf` can fill. */
export function isPlaylistTemplate(template: string): boolean {
  if (!template.includes('{token}') || template.length > 500 || /[\s\p{Cc}]/u.test(template)) return false;
  // A token in the name of the host would be sent to the server that has that name.
  if (!/^https:\/\/[^/?#{}@\\]+[/?#]/.test(template)) return false;
  const filled = playlistUrlOf(template, { accessToken: 'a', username: 'a' });
  return !/[{}]/.test(filled) && URL.canParse(filled);
}
