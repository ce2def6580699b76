/** Style sheets are taken by the bundler. */
declare module "*.css";
