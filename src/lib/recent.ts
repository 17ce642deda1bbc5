/**
 * Whether less than `within` has passed since a moment; all in ms. A moment after now is none of them: the clock was set
 * back since, by minutes or by years, and nothing that a clock was asked for may hold until then.
 */
export const isRecent = (moment: number, now: number, within: number): boolean =>
  moment <= now && now - moment < within;
