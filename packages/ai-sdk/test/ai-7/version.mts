/** Compiles with version 7 alone, so that this check can't pass with the types of version 6. */
import type { ToolExecutionOptions } from 'ai';

/** Version 6 has no argument here. */
export type OfVersion7 = ToolExecutionOptions<object>;
