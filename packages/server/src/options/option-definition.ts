/** The definition of an option of the service, and the forms that several options have. */
import * as v from 'valibot';

/** The definition of an option, for all its sources. */
export interface OptionDefinition<S extends v.GenericSchema = v.GenericSchema> {
  /** Accepts the value in the form of a configuration file. */
  readonly schema: S;
  /** How a flag or variable is converted; a list is separated by commas. */
  readonly form: 'text' | 'number' | 'list' | 'boolean';
  /** The accepted values, as a phrase. */
  readonly allowed: string;
  /** The default, as the help shows it. */
  readonly byDefault: string;
  /** Placeholder of the value in the help. */
  readonly placeholder: string;
  readonly summary: string;
  /** Another name in a configuration file. */
  readonly alias?: string;
  /** Whether the audit log records a change of its value since the last start. */
  readonly isSecurity?: true;
  /**
   * Whether its text is a secret, or a URL that may hold a password. Another spelling of its name,
   * which ends in `file`, then names a file with the value.
   */
  readonly secret?: 'whole' | 'password';
}

const NAME_BYTES_MAX = 256;
/** What {@link name} accepts, as a phrase. */
export const NAME_ALLOWED = `1 to ${NAME_BYTES_MAX} UTF-8 bytes, not blank, without control characters`;
const NAME_CHARS = /^[^\s\p{Cc}]+$/u;

/** A path of a file or directory. */
export const path = v.pipe(v.string(), v.minLength(1), v.regex(/^[^\0]*$/));
/** A name in a token. */
export const name = v.pipe(
  v.string(),
  v.regex(/^\P{Cc}+$/u),
  v.regex(/\P{White_Space}/u),
  v.check((text) => Buffer.byteLength(text, 'utf8') <= NAME_BYTES_MAX),
);
/** A host name or an address. */
export const host = v.pipe(v.string(), v.maxLength(253), v.regex(NAME_CHARS));
/** A whole number within a range. */
export const integer = (min: number, max: number) =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max));

const SECONDS_OF_UNIT = { m: 60, h: 3_600, d: 86_400 } as const;
const DURATION = /^(?<count>[1-9]\d{0,5})(?<unit>[mhd])$/;

/** Returns the seconds of a duration such as `6h`, or `undefined` for another text. */
export function durationSeconds(text: string): number | undefined {
  const { count, unit } = DURATION.exec(text)?.groups ?? {};
  return count === undefined ? undefined : Number(count) * SECONDS_OF_UNIT[unit as 'm'];
}

/** A duration of whole minutes, hours or days. */
export const duration = (maxDays: number) => {
  const maxSeconds = maxDays * SECONDS_OF_UNIT.d;
  const isWithin = (text: string) => (durationSeconds(text) ?? Infinity) <= maxSeconds;
  return v.pipe(v.string(), v.check(isWithin));
};

/** States an option. */
export const define = <S extends v.GenericSchema>(definition: OptionDefinition<S>) => definition;

/** States an option that is a whole number within a range. */
export function defineInteger({
  range: [min, max],
  byDefault,
  ...stated
}: Pick<OptionDefinition, 'placeholder' | 'summary' | 'isSecurity'> & {
  readonly range: readonly [min: number, max: number];
  readonly byDefault: number;
}) {
  return {
    ...stated,
    schema: v.optional(integer(min, max), byDefault),
    form: 'number' as const,
    allowed: `an integer from ${min} to ${max}`,
    byDefault: String(byDefault),
  };
}

/** States an option that is on or off. */
export function defineBoolean({
  byDefault,
  ...stated
}: Pick<OptionDefinition, 'summary' | 'isSecurity'> & { readonly byDefault: boolean }) {
  return {
    ...stated,
    schema: v.optional(v.boolean(), byDefault),
    form: 'boolean' as const,
    allowed: 'true or false',
    byDefault: String(byDefault),
    placeholder: '<boolean>',
  };
}
