/** Targets: the unnormalised log-probability log p(D, x) that a posterior is fitted to. */
package io.mdnf.target;
