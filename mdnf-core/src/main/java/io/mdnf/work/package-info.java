/** Work in pieces, and who does it. */
package io.mdnf.work;
