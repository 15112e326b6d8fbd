/** One call from a target to a posterior. */
package io.mdnf.fit;
