/** Base distributions: what a flow transforms, one categorical distribution per component and variable. */
package io.mdnf.base;
