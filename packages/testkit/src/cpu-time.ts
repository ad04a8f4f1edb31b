/**
 * How much work something is, whatever else the machine does meanwhile.
 */

/** The milliseconds of CPU that this process takes until some work is done. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
