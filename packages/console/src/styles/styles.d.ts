/** Style sheets, which the build collects. */
declare module '*.css';
